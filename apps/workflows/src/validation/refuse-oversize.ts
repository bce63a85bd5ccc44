import { findSizeProblems } from '@millrace/graph/check/check-size';
import { refuseBrokenData } from './refuse-broken-data.js';

/**
 * Call it before the data is encoded: sorting the keys of a million nodes blocks the process for seconds.
 * @throws ValidationError
 */
export const refuseOversize = (data: unknown): void => refuseBrokenData(data, findSizeProblems(data));
