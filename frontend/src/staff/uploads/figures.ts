/** Sizes, speeds and remaining times as text. */
import { words } from '../words';

const texts = words.uploads;

/** What was sent at a time in milliseconds. */
export type Sample = { at: number; sent: number };

const WINDOW_MS = 8000;

/** Bytes a second over the last seconds; drops older samples. */
export function speedOf(samples: Sample[]): number {
  const last = samples.at(-1);
  if (!last) return 0;
  while (samples.length > 2 && last.at - (samples[0]?.at ?? last.at) > WINDOW_MS) samples.shift();
  const [first] = samples;
  if (!first || last.at - first.at < 500) return 0;
  return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
}

const oneDigit = (value: number): string => (value < 100 ? value.toFixed(1) : String(Math.round(value)));

/** `12.3 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1e9
    ? texts.megabytes({ size: oneDigit(bytes / 1e6) })
    : texts.gigabytes({ size: oneDigit(bytes / 1e9) });

/** `1:45:07`, `2:05`. */
export function lengthText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, String(minutes).padStart(2, '0')] : [minutes];
  return [...parts, String(seconds % 60).padStart(2, '0')].join(':');
}

/** The remaining time, or undefined where it is not known. */
export function remainingText(bytes: number, speed: number): string | undefined {
  if (speed <= 0) return undefined;
  const seconds = bytes / speed;
  if (seconds < 60) return texts.seconds({ seconds: Math.max(1, Math.ceil(seconds)) });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? texts.minutes({ minutes })
    : texts.hours({ hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
