import { bundleServices } from './lib/build/bundle-services.mjs';
import { ROOT } from './lib/layout.mjs';

/** The last part of `npm run build`. */
await bundleServices(ROOT);
