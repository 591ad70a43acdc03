/** Retries after a lost connection: at growing intervals, and at once when the browser is online again. */

const DELAYS_S = [2, 4, 8, 15, 30];

export type Retry = {
  /** Call after a failure: retries after a delay. */
  later: () => void;
  now: () => void;
  /** Call after a success: resets the delay. */
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
