/** Films and pictures that are uploaded, as the calls of `/api/uploads` have them. */
export type UploadState = 'uploading' | 'waiting' | 'transcoding' | 'checking' | 'ready' | 'failed';

/** A film that is ready, as the fields of a record. */
export type Film = {
  media: string;
  image: string;
  duration_s: number;
  bytes: number;
  /** The number of the picture that is its poster. */
  still: number;
};

/** A picture that is published. */
export type Picture = { image: string; width: number; height: number; bytes: number };

export type Upload = {
  id: number;
  kind: 'film' | 'picture';
  name: string;
  service: string;
  size: number;
  /** The time of the file's last change, in milliseconds; empty where it is not known. */
  modified: string;
  /** The bytes that have arrived. */
  offset: number;
  state: UploadState;
  percent: number;
  reason: string;
  by: string;
  mine: boolean;
  at: string;
  expires_at: string;
  film: Film | null;
  picture: Picture | null;
  stills: number;
  log: string;
};
