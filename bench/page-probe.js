// Runs in the measured page. It collects times to paint, interactions, long tasks, shifts and frames, and returns them.
/** @type {number[]} */
const paints = [];
/** @type {number[]} */
const longTasks = [];
/** The end of the last long task, on the clock of the page. */
let busyUntil = 0;
let shifts = 0;
/** The shifted elements, in words. @type {Set<string>} */
const moved = new Set();
/** @type {number[] | null} */
let frames = null;

new PerformanceObserver((list) => {
  for (const { duration, startTime } of list.getEntries()) {
    longTasks.push(duration);
    busyUntil = startTime + duration;
  }
}).observe({ type: 'longtask', buffered: true });

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { hadRecentInput, value, sources } =
      /** @type {PerformanceEntry & { hadRecentInput: boolean, value: number, sources: { node: Node | null }[] }} */ (
        entry
      );
    if (hadRecentInput) continue;
    shifts += value;
    for (const { node } of sources) if (node instanceof Element) moved.add(`${node.localName}.${node.className}`);
  }
}).observe({ type: 'layout-shift', buffered: true });

/** Times from an input to the next paint, as the browser measures them (Event Timing). @type {number[]} */
const interactions = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { interactionId, duration } = /** @type {PerformanceEntry & { interactionId: number }} */ (entry);
    if (interactionId > 0) interactions.push(duration);
  }
}).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));

/**
 * Measures from `began` to the paint of the first frame in which `isShown`. The function is called in each frame, after
 * the handlers of earlier events.
 * @param {number} began
 * @param {() => boolean} isShown
 */
function afterPaint(began, isShown) {
  requestAnimationFrame(() => {
    if (!isShown()) return afterPaint(began, isShown);
    // The frame is painted before the next task.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => paints.push(performance.now() - began));
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * Measures from the next `event` to the paint of the first frame that contains `selector`.
 * @param {string} event
 * @param {string} selector
 */
function awaitPaint(event, selector) {
  addEventListener(event, ({ timeStamp }) => afterPaint(timeStamp, () => document.querySelector(selector) !== null), {
    capture: true,
    once: true,
  });
}

/** Measures the time from each Enter key to the following paint. */
function watchCommits() {
  addEventListener('keydown', ({ key, timeStamp }) => key === 'Enter' && afterPaint(timeStamp, () => true), {
    capture: true,
  });
}

/**
 * The time when the heading, or the field in its place, started to show `words` with nothing loading. Null
 * until then.
 * @type {number | null}
 */
let usableSince = null;

/** @param {Element} title */
const wordsOf = (title) => (title instanceof HTMLInputElement ? title.value : (title.textContent ?? ''));

/**
 * Starts watching whether the page is usable.
 * @param {string} words
 */
function watchUsable(words) {
  const look = () => {
    const isThere =
      [...document.querySelectorAll('h1, input[aria-label="Workflow title"]')].some(
        (title) => title.checkVisibility() && wordsOf(title).includes(words),
      ) && !document.querySelector('[aria-busy="true"], [data-loading]');
    usableSince = isThere ? (usableSince ?? performance.now()) : null;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Null until the page has been usable, and its thread free of long tasks, for `quietMs` milliseconds.
 * @param {number} quietMs
 */
function quiet(quietMs) {
  if (usableSince === null) return null;
  const usable = Math.max(usableSince, busyUntil);
  if (performance.now() - usable < quietMs) return null;
  return { usable, began: performance.timeOrigin, longTasks: longTasks.reduce((sum, ms) => sum + ms, 0) };
}

function watchFrames() {
  /** @type {number[]} */
  const times = [];
  /** @type {number | null} */
  let last = null;
  const tick = (/** @type {number} */ now) => {
    if (last !== null) times.push(now - last);
    last = now;
    if (frames === times) requestAnimationFrame(tick);
  };
  frames = times;
  requestAnimationFrame(tick);
}

function takeFrames() {
  const times = frames ?? [];
  frames = null;
  return times;
}

/** The sum of all layout shifts not caused by input, and up to four of the shifted elements. */
const shifted = () => ({ sum: shifts, moved: [...moved].slice(0, 4) });
const hasPainted = () => paints.length > 0;
const takePaints = () => paints.splice(0);
const takeInteractions = () => interactions.splice(0);
const takeLongTasks = () => longTasks.splice(0);

Object.assign(globalThis, {
  probe: {
    awaitPaint,
    watchCommits,
    watchFrames,
    watchUsable,
    quiet,
    shifted,
    takeFrames,
    hasPainted,
    takePaints,
    takeInteractions,
    takeLongTasks,
  },
});
