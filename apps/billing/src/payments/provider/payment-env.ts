import { z } from 'zod';

export const PROVIDERS = ['local', 'stripe'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const isTlsOrLocal = (text: string): boolean => {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' };
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

export const paymentShape = {
  /** Who keeps cards: `local` checks them and keeps nothing, for instances that charge nobody. */
  PAYMENT_PROVIDER: z.enum(PROVIDERS).default('local'),
  /** `sk_…` or, with write access to customers and PaymentMethods alone, `rk_…`. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** `whsec_…` of the endpoint that is registered with Stripe; without it no events are taken. */
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** Another address of Stripe's API, an origin; cards travel there, so plain HTTP on this machine alone. */
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .refine(isTlsOrLocal, { error: 'must be https' })
    .default('https://api.stripe.com'),
};

export type PaymentEnv = z.output<z.ZodObject<typeof paymentShape>>;

/** What one of the providers needs beyond its name. */
export const hasProviderSettings = (env: PaymentEnv): boolean =>
  env.PAYMENT_PROVIDER !== 'stripe' || env.STRIPE_SECRET_KEY !== undefined;

export const PROVIDER_SETTINGS_MISSING = {
  path: ['STRIPE_SECRET_KEY'],
  error: 'is needed where PAYMENT_PROVIDER is stripe',
};
