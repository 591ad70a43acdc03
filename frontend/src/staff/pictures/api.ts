/** The calls about pictures: what there is already, and the upload of a new one. */

import type { Picture } from '../../shared/contract/staff';
import { ApiProblem } from '../../shared/http/problem';
import { queryOptions } from '../../shared/http/queries';
import { call, fileOf } from '../client';
import { sendPicture } from '../uploads/sending';

/** Whether pictures can be uploaded here, and the address that all of them begin with. */
export const picturesQuery = queryOptions({
  queryKey: ['pictures'],
  queryFn: ({ signal }) => call('GET /api/uploads', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A picture that was uploaded: by its own address, another site's, a browser could show it but not crop it. */
export const uploadedPicture = (address: string): Promise<Blob> =>
  fileOf('GET /api/pictures', { query: { address } });

const LOOK_MS = 300;
/** The server checks a picture within a second; it waits for the place of pictures for longer. */
const MAX_LOOKS = 100;

/** Uploads a picture; returns once it has its address. `sent` gets the part that has arrived, up to 1. */
export async function uploadPicture(
  file: File,
  service: string,
  sent: (part: number) => void,
): Promise<Picture> {
  const id = await sendPicture(file, service, sent);
  for (let look = 1; ; look += 1) {
    const { state, picture, reason } = await call('GET /api/uploads/{id}', { path: { id } });
    if (picture) return picture;
    if (state === 'failed' || look === MAX_LOOKS) throw new ApiProblem(409, { error_message: reason });
    await new Promise(done => setTimeout(done, LOOK_MS));
  }
}
