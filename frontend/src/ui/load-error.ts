/** Error messages for content that could not be loaded. */
import { ApiProblem } from '../api/problem';

export function loadErrorMessage(error: unknown): string {
  if (!(error instanceof ApiProblem))
    return navigator.onLine
      ? 'We could not load this. Your connection may have dropped.'
      : 'You are offline. This loads by itself as soon as you are back.';
  if (error.status === 429) return 'We could not load this: too many requests. Please wait a minute.';
  return error.status < 500
    ? 'We could not load this. The link may be wrong or incomplete.'
    : 'We could not load this. The problem is on our side.';
}
