/** Error messages for content that could not be loaded. */

import { ApiProblem } from '../api/problem';
import { t } from '../messages';

export function loadErrorMessage(error: unknown): string {
  if (!(error instanceof ApiProblem)) return navigator.onLine ? t('load-dropped') : t('load-offline');
  if (error.status === 429) return t('load-busy');
  return error.status < 500 ? t('load-wrong') : t('load-ours');
}
