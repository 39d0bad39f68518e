import { type ContractKey, type RouteSpec, contract } from '@stet/contract';
import { z } from 'zod';

export const routes = Object.entries(contract) as [ContractKey, RouteSpec][];

/** Routes that access data of the selected organization: those whose access is a permission. */
export const tenantRoutes = routes.filter(
  ([, { access }]) => access !== 'public' && access !== 'session' && access !== 'installation',
);

export type Inputs = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Returns the method and the address of a route with its parameters filled in. Throws if a parameter is missing. */
export function addressOf(
  key: ContractKey,
  { params = {}, query = {} }: Inputs = {},
): { method: string; path: string } {
  const [method = '', pattern = ''] = key.split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${key} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query).toString();
  return { method, path: search === '' ? path : `${path}?${search}` };
}

/** Returns the names of the fields that a schema declares. Empty if it isn't an object. */
export function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
