import { findSizeProblems } from '@millrace/graph/check/check-size';
import { refuseBrokenData } from './refuse-broken-data.js';

/**
 * Before data is written out to be stored: a million nodes take seconds to sort, in which nobody else is answered.
 * @throws ValidationError
 */
export const refuseOversize = (data: unknown): void => refuseBrokenData(data, findSizeProblems(data));
