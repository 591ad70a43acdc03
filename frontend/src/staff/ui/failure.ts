/** A toast that says why a call failed. */
import { messageOf } from '../../shared/http/problem';
import { notify } from '../../shared/ui/notify';
import { words } from '../words';

export const notifyFailure = (error: unknown): void => void notify(messageOf(error, words.common.failed));
