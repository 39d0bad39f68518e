import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type RouteSpec, contract, errorBody } from '@stet/contract';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';

type Operation = Record<string, unknown> & { responses?: Record<string, unknown> };

/** The OpenAPI document at `/api/openapi.json`, generated from the contract, and a viewer at `/api/docs`. */
export async function serveApiDocument(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Stet', description: 'Governance-first workflow management.', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      'openapiObject' in document ? withAnswers(document.openapiObject) : document.swaggerObject,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false, uiConfig: { docExpansion: 'list' } });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/**
 * Adds the responses and permissions from the contract. If the routes had response schemas instead, Fastify would
 * validate and copy every response again.
 */
function withAnswers<T extends { paths?: Record<string, unknown> }>(document: T): T {
  const error = { description: 'Refused', content: { 'application/json': { schema: schemaOf(errorBody) } } };
  for (const [key, spec] of Object.entries(contract) as [string, RouteSpec][]) {
    const [method = '', path = ''] = key.split(' ');
    const operation = (document.paths?.[path] as Record<string, Operation> | undefined)?.[method.toLowerCase()];
    if (!operation) throw new Error(`the API document is missing ${key}`);
    const content =
      'contentType' in spec.ok
        ? { [spec.ok.contentType]: { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema: schemaOf(spec.ok) } };
    operation.responses = { [spec.status ?? 200]: { description: 'Done', content }, default: error };
    operation['x-permission'] = spec.access;
    if (spec.access !== 'public') operation['security'] = [{ bearer: [] }];
  }
  return document;
}

const schemaOf = (schema: z.ZodType): unknown => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return json;
};
