/** A picture from the gateway's image resizer, in the width that the screen needs. */
import { useState } from 'react';
import { brand } from '../brand';
import './picture.css';

/** The widths the resizer accepts. */
const WIDTHS = [160, 320, 480, 640, 960, 1280];

export function resized(address: string, width: number): string {
  if (!/^https?:\/\//.test(address)) return address;
  return `${brand().image_prefix}/rs:fit:${width}:0/plain/${address}@webp`;
}

type Props = {
  src: string;
  alt: string;
  /** Of `alt`, as of `langOf`. */
  lang?: string | undefined;
  /** Whose initials stand in its place where it is missing; `alt` by default. */
  name?: string;
  /** Pixels: they fix the aspect ratio before the picture has loaded. */
  width: number;
  height: number;
  sizes: string;
  /** The largest width to request. */
  max?: number;
  /** Above the fold: fetched first. */
  eager?: boolean;
  /** A larger picture is above it, which is fetched before it. */
  after?: boolean;
};

/** "Loadshed Lwazi" is LL. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/, 2)
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase();

export function Picture(props: Props) {
  const { src, alt, lang, name = alt, width, height, sizes, max = 640, eager = false, after = false } = props;
  const [broken, setBroken] = useState('');
  if (!src || broken === src)
    return (
      // Without a text it is decoration, as the picture would be.
      <span
        className="picture picture-missing"
        lang={lang}
        {...(alt ? { role: 'img', 'aria-label': alt } : {})}
      >
        <span aria-hidden="true">{initialsOf(name)}</span>
      </span>
    );
  const failed = () => {
    console.info('Picture failed', src);
    setBroken(src);
  };
  const widths = WIDTHS.filter(each => each <= max);
  return (
    <img
      className="picture"
      src={resized(src, Math.min(480, max))}
      srcSet={widths.map(each => `${resized(src, each)} ${each}w`).join(', ')}
      sizes={sizes}
      alt={alt}
      lang={lang}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={after ? 'low' : eager ? 'high' : 'auto'}
      decoding="async"
      draggable={false}
      ref={picture => {
        // A picture of the server's page may have failed before hydration.
        if (picture?.complete && picture.naturalWidth === 0) failed();
      }}
      onError={failed}
    />
  );
}
