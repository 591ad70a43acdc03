-- Lists of editors by title: its first hundred letters, without case. An index takes no longer text on PostgreSQL.
CREATE INDEX artists_by_title ON artists (service, lower(substr(artist, 1, 100)), id);
CREATE INDEX videos_by_title ON videos (service, lower(substr(video_name, 1, 100)), id);
