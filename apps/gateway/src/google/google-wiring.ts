import type { Provider, Type } from '@nestjs/common';
import type { GatewayEnv } from '../env.js';
import { AttemptCookie } from './attempt-cookie.js';
import { GoogleController } from './google.controller.js';
import { GoogleGuard } from './google.guard.js';
import { GoogleStrategy } from './google.strategy.js';
import { OpenIdProvider, googleSettings } from './open-id-provider.js';

/** Controllers and providers of sign-in with Google; none if it is not configured. */
export function googleWiring(env: GatewayEnv): { controllers: Type[]; providers: Provider[] } {
  const settings = googleSettings(env);
  if (settings === null) return { controllers: [], providers: [] };
  return {
    controllers: [GoogleController],
    providers: [
      { provide: OpenIdProvider, useValue: new OpenIdProvider(settings) },
      { provide: AttemptCookie, useValue: new AttemptCookie(env.MILLRACE_SECRET) },
      GoogleStrategy,
      GoogleGuard,
    ],
  };
}
