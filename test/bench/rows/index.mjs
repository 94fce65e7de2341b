/** The table of rows, in the order in which they run. A row is `{ name, measure(bench) }` and answers measurements. */

import { callLogRow } from './call-log.mjs';
import { campaignRow } from './campaigns.mjs';
import { consoleRow } from './console.mjs';
import { a2aRow, createRow, replayRow, syncsRow } from './creates.mjs';
import { fairnessRow } from './fairness.mjs';
import { growthRow } from './growth.mjs';
import { holdsRow } from './holds.mjs';
import { importRow } from './imports.mjs';
import { largeRow } from './large.mjs';
import { databaseAwayRow, databaseRow, databaseSizeRow, processesRow } from './postgres.mjs';
import { previewAgainRow, previewBatchRow, previewHtmlRow } from './previews.mjs';
import { getCapabilitiesRow, getProductsRow, productsBetweenBuysRow, toolsListRow } from './reads.mjs';
import { registryRow } from './registry.mjs';
import { besideRendersRow, renderRow } from './renders.mjs';
import { replicaRow } from './replica.mjs';
import { searchRow } from './search.mjs';
import { installSizeRow, memoryRow } from './sizes.mjs';
import { snapshotRow } from './snapshot.mjs';
import { coldStartRow, firstCallRow } from './starts.mjs';
import { sweepRow } from './sweep.mjs';
import { blackHoleRow, webhooksRow } from './webhooks.mjs';

export const rows = [
  getProductsRow,
  getCapabilitiesRow,
  toolsListRow,
  callLogRow,
  productsBetweenBuysRow,
  createRow,
  a2aRow,
  syncsRow,
  replayRow,
  growthRow,
  largeRow,
  consoleRow,
  sweepRow,
  databaseRow,
  processesRow,
  databaseSizeRow,
  databaseAwayRow,
  replicaRow,
  previewHtmlRow,
  previewAgainRow,
  previewBatchRow,
  campaignRow,
  renderRow,
  besideRendersRow,
  webhooksRow,
  blackHoleRow,
  fairnessRow,
  snapshotRow,
  registryRow,
  importRow,
  searchRow,
  holdsRow,
  coldStartRow,
  firstCallRow,
  memoryRow,
  installSizeRow,
];
