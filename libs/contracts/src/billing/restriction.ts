import { ApiError } from '../kit/api-error.js';

/**
 * Why a vault may start no runs: the monthly credits of its plan are used up, or its usage limit is reached. If both
 * apply, the reason is the limit, which may also stop running runs.
 */
export const RESTRICTIONS = ['credits', 'budget'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

/** Why a vault may start nothing: billing restricts it, or an administrator of the installation has suspended it. */
export type StartRestriction = Restriction | 'suspended';

export const RESTRICTION_MESSAGES: Record<StartRestriction, string> = {
  credits: 'The credits of this month are used up. Wait for the next month or switch to a plan with more credits.',
  budget: 'The usage limit for this month is reached. An owner of the vault can raise it.',
  suspended:
    'An administrator of this server has suspended the vault. It can be read and changed, but it starts nothing.',
};

/** The vault may start no runs; `details.restriction.reason` says why. */
export class RestrictedError extends ApiError {
  constructor(reason: StartRestriction) {
    super('forbidden', RESTRICTION_MESSAGES[reason], { restriction: { reason } });
  }
}

/** True for a `RestrictedError` because of a suspension, including one that another service returned. */
export const isSuspended = ({ details }: ApiError): boolean =>
  (details?.['restriction'] as { reason?: unknown } | undefined)?.reason === 'suspended';

/** True for a `RestrictedError`, including one that another service returned. */
export const isRestricted = ({ code, details }: ApiError): boolean =>
  code === 'forbidden' && details?.['restriction'] !== undefined;
