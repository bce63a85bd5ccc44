import { ApiError } from '../kit/api-error.js';

/**
 * Why a vault may start nothing: the credits of its plan for this month are used up, or the limit that its owner has set.
 * Where both are, it is the limit, which may also stop what runs.
 */
export const RESTRICTIONS = ['credits', 'budget'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

export const RESTRICTION_MESSAGES: Record<Restriction, string> = {
  credits: 'The credits of this month are used up; a new month or another plan gives more',
  budget: 'The usage limit that is set for this month is reached',
};

/** Nothing may be started in a vault; `details.restriction.reason` says why. */
export class RestrictedError extends ApiError {
  constructor(reason: Restriction) {
    super('forbidden', RESTRICTION_MESSAGES[reason], { restriction: { reason } });
  }
}

/** Whether a failure is `Restricted`, also where it came from another service. */
export const isRestricted = ({ code, details }: ApiError): boolean =>
  code === 'forbidden' && details?.['restriction'] !== undefined;
