/** A button, which sends no form unless it says so. */
import type { ButtonHTMLAttributes } from 'react';

type Tone = 'primary' | 'danger' | 'danger-quiet' | 'quiet' | 'large' | 'more' | 'primary large';

export function Button({
  tone,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { tone?: Tone | undefined }) {
  return <button type="button" className={tone ? `button ${tone}` : 'button'} {...button} />;
}
