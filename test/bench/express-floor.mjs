/** The least that an express route can do: a static answer of 2 KB. PORT=4100 node test/bench/express-floor.mjs */
import express from 'express';

const body = JSON.stringify({ text: 'x'.repeat(1990) });
const app = express();
app.get('/route', (_request, response) => void response.type('application/json').send(body));
app.listen(Number(process.env.PORT), '127.0.0.1');
