// Dates depend on the browser's languages; tests always use this one.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true });
