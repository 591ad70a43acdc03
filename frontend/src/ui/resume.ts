/** Remembers on this phone where a video was left. Storage may be full or forbidden; then each starts at its beginning. */

const KEY = 'spaza.resume';
const MOST = 40;
/** Seconds: whoever has seen less has not begun, whoever has less to go has finished. */
const EDGE = 2;

type Places = [source: string, second: number][];

function places(): Places {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Places;
  } catch {
    return [];
  }
}

/** The second to go on from; 0 = the beginning. */
export function leftAt(source: string): number {
  return places().find(([each]) => each === source)?.[1] ?? 0;
}

/** Keeps the latest forty videos. */
export function leaveAt(source: string, second: number, duration: number): void {
  const others = places().filter(([each]) => each !== source);
  const begun = second > EDGE && second < duration - EDGE;
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify((begun ? [[source, Math.floor(second)], ...others] : others).slice(0, MOST)),
    );
  } catch {
    console.info('This phone cannot remember where a video was left');
  }
}
