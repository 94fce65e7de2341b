import * as api from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import { openTraces, Traces } from '../../../src/platform/health/traces.js';
import { boot, toolCall } from '../../kit/boot.js';
import { collectingLog, type LogLine } from '../../kit/surroundings.js';

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('traces of OpenTelemetry', () => {
  it('have a span for each call, in the trace of its caller, and say what was refused', async () => {
    const server = await boot({ env: { OTEL_SERVICE_NAME: 'seller' } });
    exporter.reset();
    const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
    await server.raw(toolCall('get_products', { buying_mode: 'wholesale' }), { traceparent });
    await server.raw(toolCall('get_media_buys', { media_buy_ids: 7 }));
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(['get_products', 'get_media_buys']);
    expect(spans[0]?.spanContext().traceId).toBe(TRACE);
    expect(spans[0]?.attributes).toMatchObject({ 'seller_agent.tenant': 'sales', 'seller_agent.principal': 'sandbox' });
    expect(spans[1]?.status).toEqual({ code: api.SpanStatusCode.ERROR, message: 'INVALID_REQUEST' });
  });

  it('are none where no variable asks for them', async () => {
    const server = await boot();
    exporter.reset();
    await server.call('get_products', { buying_mode: 'wholesale' });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('are below the span of the request where something traces HTTP', async () => {
    exporter.reset();
    const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const action = { name: 'get_products', headers, attributes: {}, run: async () => 1, refusalOf: () => undefined };
    await api.trace.getTracer('http').startActiveSpan('POST', async (request) => {
      await new Traces(api, '1').span(action);
      request.end();
    });
    const [call, request] = exporter.getFinishedSpans();
    expect(call?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  });

  it('are missed by a line of the log where a variable asks for them and no SDK is loaded, and that asks for none itself', async () => {
    const lines: LogLine[] = [];
    const open = () => openTraces({ OTEL_SERVICE_NAME: 'seller' }, '1', collectingLog(lines));
    exporter.reset();
    await open();
    expect(lines).toEqual([]);
    expect(exporter.getFinishedSpans()).toEqual([]);
    api.trace.disable();
    await open();
    expect(lines.map(({ text }) => text)).toEqual([expect.stringContaining('no SDK of OpenTelemetry is loaded')]);
  });
});
