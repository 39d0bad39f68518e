import { configure } from '@testing-library/react';

// Parts load lazily; in tests that first load is a compilation, on a machine that is busy with other tests.
configure({ asyncUtilTimeout: 20_000 });
