import { configure } from '@testing-library/react';

// Parts of the app load lazily. In tests, the first load also compiles them, which is slow while other tests run on the
// same machine.
configure({ asyncUtilTimeout: 20_000 });

// Dates are formatted in the browser's languages, so tests always use the same one.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true });
