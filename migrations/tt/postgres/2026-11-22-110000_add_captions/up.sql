-- The words of a video for who cannot hear it: the path of a WebVTT file below the media folder.

ALTER TABLE videos ADD COLUMN captions TEXT;
ALTER TABLE staged_videos ADD COLUMN captions TEXT;
