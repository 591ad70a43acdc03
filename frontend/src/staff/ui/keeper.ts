/** Keeps the newest text of a form on the server: every two seconds while it changes, one call at a time. */

const PAUSE_MS = 2000;

export type Keeper = ReturnType<typeof createKeeper>;

/** `send` keeps a text, or drops what is kept where it gets null; where it fails, the newest text is sent later. */
export function createKeeper(send: (text: string | null) => Promise<void>) {
  let kept: string | null | undefined = null;
  let newest: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;

  let isClosed = false;

  const later = () => {
    if (!isClosed) timer ??= setTimeout(flush, PAUSE_MS);
  };

  async function run(): Promise<void> {
    const text = newest;
    try {
      await send(text);
      kept = text;
    } catch {
      // What it was refused for, `send` has shown.
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await running;
    if (newest === kept || running) return running;
    running = run().finally(() => {
      running = undefined;
    });
    await running;
    if (newest !== kept) later();
  }

  return {
    /** The form's text; null without one. */
    set: (text: string | null) => {
      newest = text;
      if (newest !== kept) later();
    },
    /** What the server has; undefined where the next attempt is made in any case. */
    setKept: (text: string | null | undefined) => {
      kept = text;
    },
    isKept: () => newest === kept,
    /** Sends the newest text now; one that fails is sent later. */
    flush,
    /** The last attempt: what fails from here on is not sent again. */
    close: () => {
      isClosed = true;
      return flush();
    },
  };
}
