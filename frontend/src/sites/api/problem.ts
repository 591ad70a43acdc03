/** Errors of calls, with the sites' message where the server has none. */
import { messageOf as serverMessage } from '../../shared/http/problem';
import { t } from '../messages';

export { ApiProblem, isBroken, isStatus, type ProblemBody } from '../../shared/http/problem';

/** The error message for the visitor: the server's if it sent one, otherwise `otherwise`. */
export const messageOf = (error: unknown, otherwise = t('went-wrong')): string =>
  serverMessage(error, otherwise);
