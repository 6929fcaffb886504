import type { components } from "./generated/api.js";
import { retryAfter } from "./send.js";

type Schemas = components["schemas"];

/** An answer that is no success, with the documented fields. */
export class CarillonError extends Error {
  override readonly name = "CarillonError";
  /** The stable code: type of a refusal over REST, extensions.code over GraphQL; "" without one. */
  readonly code: string;
  /** Problems by field of the request. */
  readonly fields: Record<string, Schemas["FieldError"]>;
  /** Why each item failed, or where a payload violates its schema; with 400 only. */
  readonly problems: Schemas["BadRequestError"]["errors"];
  /** Names a failure of the service in its log; "" without one. */
  readonly errorId: string;
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** Milliseconds that the service asks to wait; 0: it does not say. */
  readonly retryAfter: number;

  constructor(
    readonly status: number,
    message: string,
    headers: Headers,
    details: { code?: string; fields?: Record<string, Schemas["FieldError"]>; problems?: Schemas["BadRequestError"]["errors"]; errorId?: string } = {},
  ) {
    super(message);
    this.code = details.code ?? "";
    this.fields = details.fields ?? {};
    this.problems = details.problems ?? [];
    this.errorId = details.errorId ?? "";
    this.requestId = headers.get("x-request-id") ?? "";
    this.retryAfter = retryAfter(headers);
  }
}

/** Reads a failure of the REST API; one that is no JSON, such as that of a proxy, keeps its status and its text. */
export function restError(response: Response, text: string): CarillonError {
  let body: Partial<Schemas["BadRequestError"] & Schemas["ValidationError"] & Schemas["Error"]> = {};
  try {
    body = JSON.parse(text);
  } catch {
    return new CarillonError(response.status, text || response.statusText, response.headers);
  }
  return new CarillonError(response.status, body.message ?? response.statusText, response.headers, {
    ...(body.type ? { code: body.type } : {}),
    ...(body.errorId ? { errorId: body.errorId } : {}),
    ...(response.status === 422 && body.errors ? { fields: body.errors } : {}),
    ...(response.status === 400 && Array.isArray(body.errors) ? { problems: body.errors } : {}),
  });
}

/** One error of a GraphQL answer. */
export interface GraphQLFault {
  message: string;
  extensions?: { code?: string; errorId?: string; fields?: { path: string; message: string }[] };
}

export function graphError(response: Response, faults: GraphQLFault[]): CarillonError {
  const first = faults[0];
  const fields: Record<string, Schemas["FieldError"]> = {};
  for (const fault of faults) {
    for (const { path, message } of fault.extensions?.fields ?? []) (fields[path] ??= { messages: [] }).messages.push(message);
  }
  return new CarillonError(response.status, faults.map((f) => f.message).join("; "), response.headers, {
    fields,
    ...(first?.extensions?.code ? { code: first.extensions.code } : {}),
    ...(first?.extensions?.errorId ? { errorId: first.extensions.errorId } : {}),
  });
}
