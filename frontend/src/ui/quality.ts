/** How much data a stream may cost: the visitor's choice, kept on this phone. */
import { wantsLessData } from './device';

export type Quality = 'auto' | 'low' | 'high';
export const QUALITIES: [Quality, string][] = [
  ['auto', 'Automatic'],
  ['low', 'Save data'],
  ['high', 'Best picture'],
];

const KEY = 'spaza.quality';

/** What was chosen last; a phone that saves data starts at the least. */
export function chosenQuality(): Quality {
  const otherwise = wantsLessData() ? 'low' : 'auto';
  try {
    const kept = localStorage.getItem(KEY);
    return QUALITIES.find(([name]) => name === kept)?.[0] ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keepQuality(quality: Quality): void {
  try {
    localStorage.setItem(KEY, quality);
  } catch {
    console.info('This phone cannot remember the quality');
  }
}
