/** A video without scripts. The gateway checks access to the file. Nothing is fetched before the visitor plays it. */
import { codeOf } from './captions';
import { resized } from './Picture';
import { plainFile } from './playback';

type Props = {
  source: string;
  poster: string;
  title: string;
  lang: string | undefined;
  captions?: string | undefined;
};

export const PlainVideo = ({ source, poster, title, lang, captions }: Props) => (
  // biome-ignore lint/a11y/useMediaCaption: there is a track if the video has captions
  <video
    src={plainFile(source)}
    poster={resized(poster, 960)}
    aria-label={title}
    lang={lang}
    controls
    controlsList="nodownload"
    loop
    playsInline
    preload="none"
  >
    {/* The browser shows the language's name. */}
    {captions && <track kind="captions" src={captions} srcLang={codeOf(captions)} />}
  </video>
);
