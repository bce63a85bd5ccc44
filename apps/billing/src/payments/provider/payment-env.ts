import { z } from 'zod';

export const PROVIDERS = ['local', 'stripe'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const isTlsOrLocal = (text: string): boolean => {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' };
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

export const paymentShape = {
  /** The provider that stores cards. `local` checks them and stores nothing, for installations that charge no customers. */
  PAYMENT_PROVIDER: z.enum(PROVIDERS).default('local'),
  /** `sk_…`, or a restricted key `rk_…` with write access to customers and PaymentMethods. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** `whsec_…` of the endpoint that is registered with Stripe. Without it, billing receives no events. */
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** Another origin of Stripe's API. Requests contain card numbers, so plain HTTP is allowed only to this machine. */
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .refine(isTlsOrLocal, { error: 'must use https, except to this machine' })
    .default('https://api.stripe.com'),
};

export type PaymentEnv = z.output<z.ZodObject<typeof paymentShape>>;

/** Whether the settings that the provider needs are present. */
export const hasProviderSettings = (env: PaymentEnv): boolean =>
  env.PAYMENT_PROVIDER !== 'stripe' || env.STRIPE_SECRET_KEY !== undefined;

export const PROVIDER_SETTINGS_MISSING = {
  path: ['STRIPE_SECRET_KEY'],
  error: 'is required if PAYMENT_PROVIDER is stripe',
};
