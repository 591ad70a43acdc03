/** How much data a stream may cost: the visitor's choice, kept on this phone. */
import { wantsLessData } from './device';
import { keep, recall } from './phone-memory';

export type Quality = 'auto' | 'low' | 'high';
export const QUALITIES: [Quality, string][] = [
  ['auto', 'Automatic'],
  ['low', 'Save data'],
  ['high', 'Best picture'],
];

const KEY = 'spaza.quality';

/** What was chosen last; a phone that saves data starts at the least. */
export function chosenQuality(): Quality {
  const kept = recall(KEY);
  return QUALITIES.find(([name]) => name === kept)?.[0] ?? (wantsLessData() ? 'low' : 'auto');
}

export const keepQuality = (quality: Quality): void => keep(KEY, quality);
