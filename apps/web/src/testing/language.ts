// Dates are written as in the languages of the browser; in tests it is always this one.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true });
