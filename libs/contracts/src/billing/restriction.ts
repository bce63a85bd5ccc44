import { ApiError } from '../kit/api-error.js';

/**
 * Why a vault may start no runs: the monthly credits of its plan are used up, or its usage limit is reached. If both
 * apply, the reason is the limit, which may also stop running runs.
 */
export const RESTRICTIONS = ['credits', 'budget'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

export const RESTRICTION_MESSAGES: Record<Restriction, string> = {
  credits: 'The credits of this month are used up. Wait for the next month or switch to a plan with more credits.',
  budget: 'The usage limit for this month is reached. An owner of the vault can raise it.',
};

/** The vault may start no runs; `details.restriction.reason` says why. */
export class RestrictedError extends ApiError {
  constructor(reason: Restriction) {
    super('forbidden', RESTRICTION_MESSAGES[reason], { restriction: { reason } });
  }
}

/** True for a `RestrictedError`, including one that another service returned. */
export const isRestricted = ({ code, details }: ApiError): boolean =>
  code === 'forbidden' && details?.['restriction'] !== undefined;
