import type { LinkProps } from '@tanstack/react-router';

/** The path of a page that another area has. */
export const pathTo = (path: `/${string}`): NonNullable<LinkProps['to']> => path as NonNullable<LinkProps['to']>;
