import { chooseCases } from '../support/choose-cases.js';
import { isQuick, listCases } from './cases/list-cases.js';
import { describeCases } from './matrix/describe-cases.js';
import { describeDamages } from './matrix/describe-damages.js';

/** With the start of the system, they take three minutes. `npm run test:faults` runs all cases. */
const SAMPLE = 8;

const seed = process.env['TEST_SEED'] || '1';
describeDamages(describeCases(chooseCases(listCases().filter(isQuick), SAMPLE, seed)));
