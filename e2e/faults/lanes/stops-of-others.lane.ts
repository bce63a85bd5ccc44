import { chooseLane } from '../cases/choose-lane.js';
import { describeCases } from '../matrix/describe-cases.js';

const { cases, isChosen } = chooseLane('stops-of-others');
describeCases(cases, isChosen);
