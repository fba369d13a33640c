export const PREFLIGHT_HEADERS = {
  "Allow": "POST, OPTIONS",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
} as const;

/**
 * Responds to OPTIONS, above all to the CORS preflight request that a browser
 * sends before a page of another origin may POST JSON.
 */
export async function preflight(): Promise<Response> {
  return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
}
