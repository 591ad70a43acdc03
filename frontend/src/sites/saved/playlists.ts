/** What of a stream's playlists (RFC 8216) is saved: one size of the picture, with everything that it names. */

export type Size = {
  /** The height of the picture in lines. */
  lines: number;
  /** Bits a second, at most. */
  bits: number;
  codecs: string;
  /** The main playlist with this size alone. */
  playlist: string;
  /** The absolute addresses of its own playlists. */
  playlists: string[];
};

const attribute = (line: string, name: string): string =>
  new RegExp(`[:,]${name}=("[^"]*"|[^,]*)`).exec(line)?.[1]?.replace(/"/g, '') ?? '';

const linesOf = (text: string): string[] => text.split(/\r?\n/).map(line => line.trim());

/** The sizes that a main playlist offers, smallest first; one for each height that the browser can play. */
export function sizesOf(text: string, base: string, canPlay: (codecs: string) => boolean): Size[] {
  const lines = linesOf(text);
  const isOfSize = (line: string) => /^#EXT-X-(STREAM-INF|I-FRAME-STREAM-INF|MEDIA):/.test(line);
  const head = lines.filter(line => line.startsWith('#') && !isOfSize(line));
  const media = lines.filter(line => line.startsWith('#EXT-X-MEDIA:'));
  const sizes = lines.flatMap((line, place): Size[] => {
    const own = lines[place + 1];
    if (!line.startsWith('#EXT-X-STREAM-INF:') || !own) return [];
    const sound = attribute(line, 'AUDIO');
    const sounds = media.filter(each => sound !== '' && attribute(each, 'GROUP-ID') === sound);
    const addresses = [own, ...sounds.map(each => attribute(each, 'URI')).filter(Boolean)];
    return [
      {
        lines: Number(attribute(line, 'RESOLUTION').split('x')[1] ?? 0),
        bits: Number(attribute(line, 'AVERAGE-BANDWIDTH') || attribute(line, 'BANDWIDTH')),
        codecs: attribute(line, 'CODECS'),
        playlist: [...head, ...sounds, line, own, ''].join('\n'),
        playlists: addresses.map(each => new URL(each, base).href),
      },
    ];
  });
  const playable = sizes.filter(({ codecs }) => canPlay(codecs)).sort((one, other) => one.bits - other.bits);
  return playable
    .filter(({ lines: height }, place) => playable.findIndex(each => each.lines === height) === place)
    .sort((one, other) => one.lines - other.lines);
}

/** The absolute addresses of all files that a size's own playlist names, each once. */
export function filesOf(text: string, base: string): string[] {
  const named = linesOf(text).flatMap(line => {
    if (line.startsWith('#EXT-X-MAP:')) return [attribute(line, 'URI')];
    return line === '' || line.startsWith('#') ? [] : [line];
  });
  return [...new Set(named.map(each => new URL(each, base).href))];
}
