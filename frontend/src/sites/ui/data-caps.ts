/** The monthly data caps that a visitor may choose. */

/** Megabytes; 0: no cap. */
export const CAPS = [0, 100, 250, 500, 1000];

export const megabytes = (cap: number): string => (cap < 1000 ? `${cap} MB` : `${cap / 1000} GB`);
