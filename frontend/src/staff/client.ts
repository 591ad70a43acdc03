/** The HTTP client of the back office's API. Failures are `ApiProblem`s, as on the sites. */

import type { Calls } from '../shared/contract/staff';
import { type Arguments, addressOf as addressIn, type Parts } from '../shared/http/address';
import { ApiProblem, type ProblemBody } from '../shared/http/problem';

/** A refusal names the faulty fields of a form, and after too many attempts the seconds to wait. */
type StaffProblem = ProblemBody & { errors?: Record<string, string>; retry_after?: number };

/** Calls that are refused without an end of a session. */
const SIGNING_IN = / \/api\/session(\/second-factor)?$/;

let signInAgain = async (): Promise<boolean> => false;
/** The one that runs: all calls that are refused without a session wait for the same. */
let signingIn: Promise<boolean> | undefined;

/** Sets how a person signs in again whose session has ended; false where they do not. */
export function onSessionEnd(run: () => Promise<boolean>): void {
  signInAgain = run;
}

/** The type of a refusal where the second factor was proved too long ago. */
const PROOF_TOO_OLD = 'urn:spaza:problem:second-factor';

let proveAgain = async (): Promise<boolean> => false;
/** The one that runs: all calls that need it wait for the same. */
let proof: Promise<boolean> | undefined;

/** Sets how the second factor is proved again; false where the person does not. */
export function onProofTooOld(run: () => Promise<boolean>): void {
  proveAgain = run;
}

/** What a call takes, by method and path of the contract. */
type Given<Name extends keyof Calls> = Omit<Calls[Name], 'reply'> & {
  /** Cancels the call: every query passes its own. */
  signal?: AbortSignal;
};
type Rest<Name extends keyof Calls> = Arguments<Given<Name>>;

/** The address of a call; parameters that are empty are left out. */
export const addressOf = <Name extends keyof Calls>(name: Name, ...[given]: Rest<Name>): string =>
  addressIn(name, given as Parts);

export async function call<Name extends keyof Calls>(
  name: Name,
  ...rest: Rest<Name>
): Promise<Calls[Name]['reply']> {
  const text = await (await send(name, ...rest)).text();
  return (text === '' ? undefined : JSON.parse(text)) as Calls[Name]['reply'];
}

/** The file that a call answers with. */
export const fileOf = async <Name extends keyof Calls>(name: Name, ...rest: Rest<Name>): Promise<Blob> =>
  (await send(name, ...rest)).blob();

/** Saves the file that a call answers with. */
export async function download<Name extends keyof Calls>(
  file: string,
  name: Name,
  ...rest: Rest<Name>
): Promise<void> {
  const address = URL.createObjectURL(await fileOf(name, ...rest));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  // The browser has begun to save it when the next task runs.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function send<Name extends keyof Calls>(name: Name, ...rest: Rest<Name>): Promise<Response> {
  const { body, signal }: { body?: unknown; signal?: AbortSignal } = rest[0] ?? {};
  const isFile = body instanceof Blob;
  const response = await fetch(addressOf(name, ...rest), {
    method: name.replace(/ .*/, ''),
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    body: isFile ? body : body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.ok) return response;
  if (response.status === 401 && !SIGNING_IN.test(name)) {
    signingIn ??= signInAgain().finally(() => {
      signingIn = undefined;
    });
    if (await signingIn) return send(name, ...rest);
  }
  const problem = await problemOf(response);
  if (problem.type === PROOF_TOO_OLD) {
    proof ??= proveAgain().finally(() => {
      proof = undefined;
    });
    if (await proof) return send(name, ...rest);
  }
  throw new ApiProblem(response.status, problem);
}

async function problemOf(response: Response): Promise<StaffProblem> {
  const seconds = Number(response.headers.get('retry-after'));
  const wait = Number.isFinite(seconds) && seconds > 0 ? { retry_after: seconds } : {};
  try {
    return { ...((await response.json()) as StaffProblem), ...wait };
  } catch {
    return wait;
  }
}

const bodyOf = (error: unknown): StaffProblem => (error instanceof ApiProblem ? error.body : {});

/** The texts of a refused form, by field. */
export const fieldErrors = (error: unknown): Record<string, string> => bodyOf(error).errors ?? {};

/** Whole minutes to wait before the next attempt, if the server named a time. */
export function minutesToWait(error: unknown): number | undefined {
  const seconds = bodyOf(error).retry_after;
  return seconds === undefined ? undefined : Math.ceil(seconds / 60);
}
