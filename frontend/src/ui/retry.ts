/** Tries again what failed for want of a connection: at once when the connection returns, at growing intervals until then. */

const DELAYS_S = [2, 4, 8, 15, 30];

export type Retry = {
  /** It failed: try again after a while. */
  later: () => void;
  now: () => void;
  /** It works: the next failure waits for the shortest time again. */
  worked: () => void;
  stop: () => void;
};

export function retrying(attempt: () => void): Retry {
  let failures = 0;
  let timer = 0;
  const now = () => {
    window.clearTimeout(timer);
    timer = 0;
    attempt();
  };
  const ifWaiting = () => timer && now();
  window.addEventListener('online', ifWaiting);
  return {
    now,
    later() {
      window.clearTimeout(timer);
      const delay = DELAYS_S[Math.min(failures, DELAYS_S.length - 1)] ?? 0;
      failures += 1;
      timer = window.setTimeout(now, delay * 1000);
    },
    worked() {
      failures = 0;
    },
    stop() {
      window.clearTimeout(timer);
      window.removeEventListener('online', ifWaiting);
    },
  };
}
