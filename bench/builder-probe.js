// Runs in the page that is measured: gathers times to paint, long tasks and frames, and hands them over.
/** @type {number[]} */
const paints = [];
/** @type {number[]} */
const longTasks = [];
/** @type {number[] | null} */
let frames = null;
/** @type {string | null} */
let awaited = null;

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration);
}).observe({ type: 'longtask' });

/** @param {number} began */
function afterPaint(began) {
  requestAnimationFrame(() => {
    // The frame is painted before the next task.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => paints.push(performance.now() - began));
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * The next `event` begins a time that ends with the paint after `selector` was found; the same paint where there is none.
 * @param {string} event
 * @param {string} selector
 */
function awaitPaint(event, selector) {
  awaited = selector;
  addEventListener(
    event,
    ({ timeStamp }) => {
      const look = () => {
        if (awaited === null || document.querySelector(awaited)) afterPaint(timeStamp);
        else requestAnimationFrame(look);
      };
      // After the page has heard of it.
      setTimeout(look);
    },
    { capture: true, once: true },
  );
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

const hasPainted = () => paints.length > 0;
const takePaints = () => paints.splice(0);
const takeLongTasks = () => longTasks.splice(0);

Object.assign(globalThis, { probe: { awaitPaint, watchFrames, takeFrames, hasPainted, takePaints, takeLongTasks } });
