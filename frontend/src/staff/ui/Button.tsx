/** A button, which sends no form unless it says so. */
import type { ButtonHTMLAttributes } from 'react';

type Tone = 'primary' | 'danger' | 'danger-quiet' | 'quiet' | 'more';

export function Button({
  tone = '',
  large = false,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { tone?: Tone | ''; large?: boolean }) {
  return <button type="button" className={`button ${tone} ${large ? 'large' : ''}`} {...button} />;
}
