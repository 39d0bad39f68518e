// Runs in the page that is measured: gathers times and hands them over.
/** @type {number[]} */
const commits = [];
/** @type {number[] | null} */
let frames = null;

/** From each Enter key to the first moment after the paint that follows it. */
function watchCommits() {
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter') return;
      const began = event.timeStamp;
      requestAnimationFrame(() => {
        // The frame is painted before the next task.
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => commits.push(performance.now() - began));
        port1.start();
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

/** Times between frames from now on. */
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
  const times = frames;
  frames = null;
  return times;
}

Object.assign(globalThis, { probe: { commits, watchCommits, watchFrames, takeFrames } });
