// Dates are formatted in the browser's languages, so tests always use the same one.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true });
