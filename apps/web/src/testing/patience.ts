import { configure } from '@testing-library/react';

// Parts load lazily; in tests the first load compiles them, on a machine busy with other tests.
configure({ asyncUtilTimeout: 20_000 });
