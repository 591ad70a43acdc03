/** The visitor's choice of a stream's quality, stored on this phone. */
import type { MessageId } from '../messages';
import { wantsLessData } from './device';
import { getLocalItem, setLocalItem } from './local-storage';

export type Quality = 'auto' | 'low' | 'high';
export const QUALITIES: [Quality, MessageId][] = [
  ['auto', 'quality-auto'],
  ['low', 'quality-low'],
  ['high', 'quality-high'],
];

const KEY = 'spaza.quality';

/** The last choice; by default the lowest quality with Save-Data, otherwise automatic. */
export function chosenQuality(): Quality {
  const kept = getLocalItem(KEY);
  return QUALITIES.find(([name]) => name === kept)?.[0] ?? (wantsLessData() ? 'low' : 'auto');
}

export const saveQuality = (quality: Quality): void => setLocalItem(KEY, quality);
