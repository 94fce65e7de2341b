import type { NextFunction, Request, Response } from 'express';

/**
 * Sends bytes, or the one range of them that is asked for: players of video ask for parts. Passes on to `next` where there is no such
 * range; the type and the etag are set before.
 */
export function sendRange(request: Request, response: Response, next: NextFunction, bytes: Buffer): void {
  response.set('accept-ranges', 'bytes');
  const ifRange = request.get('if-range');
  const isCurrent = ifRange === undefined || ifRange === response.get('etag');
  const ranges = isCurrent ? request.range(bytes.length, { combine: true }) : undefined;
  if (ranges === -1) {
    next();
    return;
  }
  const [range, ...others] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  if (range === undefined || others.length > 0) {
    response.send(bytes);
    return;
  }
  response.status(206).set('content-range', `bytes ${range.start}-${range.end}/${bytes.length}`);
  response.send(bytes.subarray(range.start, range.end + 1));
}
