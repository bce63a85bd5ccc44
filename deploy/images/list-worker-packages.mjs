import { workerPackages } from '../../scripts/lib/machine/choose-packages.mjs';

/** Prints the Debian packages of the worker's image. */
console.log(workerPackages().join('\n'));
