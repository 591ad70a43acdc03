/** Whether this phone plays AV1, which needs fewer bytes than H.264 for the same picture, and more work. */
import { wantsLessData } from './device';

/** The largest size that `content transcode` makes. */
const LARGEST: VideoConfiguration = {
  contentType: 'video/mp4; codecs="av01.0.04M.08"',
  width: 854,
  height: 480,
  bitrate: 600_000,
  framerate: 30,
};

export const isAv1 = (codecs: string | undefined): boolean => codecs?.includes('av01') === true;

/** Smoothly and without heat. Phones that save data are the cheap ones, which decode it without help. */
export async function playsAv1(): Promise<boolean> {
  if (wantsLessData() || !('mediaCapabilities' in navigator)) return false;
  try {
    const found = await navigator.mediaCapabilities.decodingInfo({ type: 'media-source', video: LARGEST });
    return found.supported && found.smooth && found.powerEfficient;
  } catch (error) {
    console.info('AV1 is not known', error);
    return false;
  }
}
