import { z } from 'zod';

/** The shapes of Kevel's management API as its public description has them: requests strictly, answers with what they always hold. */

const int32 = z.number().int().min(-2_147_483_648).max(2_147_483_647);
const id = int32.min(1);
const text = (max: number) => z.string().max(max);
const nullable = <T extends z.ZodType>(type: T) => type.nullable().optional();
/** UTC, without an offset; or a day. */
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2})?$/);

const caps = {
  FreqCap: nullable(int32.min(1)),
  FreqCapDuration: nullable(int32.min(1)),
  FreqCapType: nullable(z.union([z.literal(1), z.literal(2), z.literal(3)])),
  DailyCapAmount: nullable(int32),
  LifetimeCapAmount: nullable(int32.min(1)),
};

const advertiser = z.strictObject({
  Title: text(255),
  IsActive: z.boolean(),
  IsDeleted: z.boolean().optional(),
  ExternalId: z.string().min(1).max(200).optional(),
  ...caps,
  CapType: nullable(z.literal(4)),
  CustomFieldsJson: nullable(z.string()),
});

const campaign = z.strictObject({
  AdvertiserId: id,
  Name: z.string().min(1).max(200),
  IsActive: z.boolean().optional(),
  IsDeleted: z.boolean().optional(),
  IsArchived: z.boolean().optional(),
  ...caps,
  CapType: nullable(z.literal(4)),
  CustomFieldsJson: nullable(z.string()),
});

const changedCampaign = campaign.extend({ Id: id, StartDateISO: instant, IsActive: z.boolean() });

const geo = z.strictObject({
  CountryCode: z.string().min(2).max(3),
  Region: z.string().optional(),
  MetroCode: nullable(int32),
  IsExclude: z.boolean(),
});

const site = z.strictObject({ SiteId: id, ZoneId: id.optional(), IsExclude: z.boolean() });

const flight = z.strictObject({
  Name: z.string().min(1).max(300),
  CampaignId: id,
  PriorityId: id,
  IsActive: z.boolean(),
  StartDateISO: instant,
  EndDateISO: nullable(instant),
  NoEndDate: nullable(z.boolean()),
  GoalType: z.union([1, 2, 3, 7, 8, 9, 10].map((each) => z.literal(each))),
  Impressions: int32.min(1),
  RateType: z.union([1, 2, 3, 4, 5, 6].map((each) => z.literal(each))),
  Price: z.number().min(0).optional(),
  CapType: nullable(z.union([1, 2, 3, 4].map((each) => z.literal(each)))),
  ...caps,
  IsFreqCap: nullable(z.boolean()),
  Keywords: nullable(z.string().regex(/^[^,:!~]*$/)),
  CustomTargeting: nullable(text(1000)),
  GeoTargeting: nullable(z.array(geo)),
  SiteZoneTargeting: nullable(z.array(site)),
  IsArchived: nullable(z.boolean()),
  IsDeleted: nullable(z.boolean()),
  IsCompanion: nullable(z.boolean()),
  CustomFieldsJson: nullable(z.string()),
});

const changedFlight = flight.omit({ CustomFieldsJson: true }).extend({
  Id: id,
  CustomFieldsJSON: nullable(z.string()),
  Version: int32.optional(),
});

const creative = z.strictObject({
  AdvertiserId: id,
  AdTypeId: id,
  IsActive: z.boolean(),
  Title: text(255),
  Body: z.string().optional(),
  Url: nullable(text(2000)),
  ImageLink: nullable(text(2000)),
  Alt: nullable(z.string()),
  IsHTMLJS: z.boolean().optional(),
  ScriptBody: nullable(z.string()),
  Metadata: nullable(z.string()),
});

const ad = z.strictObject({
  Creative: z.union([z.strictObject({ Id: id }), creative]),
  FlightId: id,
  CampaignId: id,
  IsActive: z.boolean(),
  Percentage: nullable(int32.min(0).max(100)),
  DistributionType: nullable(z.union([z.literal(1), z.literal(2), z.literal(3)])),
  SizeOverride: z.boolean().optional(),
  Iframe: z.boolean().optional(),
  SiteId: nullable(id),
  ZoneId: nullable(id),
  CustomTargeting: nullable(z.string()),
  ExternalMetadata: nullable(z.string()),
});

const changedAd = ad.extend({ Id: id, Creative: z.strictObject({ Id: id }), IsDeleted: z.boolean() });

const dayPart = z.strictObject({
  StartTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  EndTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  WeekDays: z.array(z.enum(['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'])).min(1),
});

const GROUPS = ['day', 'week', 'month', 'hour', 'brandId', 'campaignId', 'optionId', 'flightId', 'creativeId'] as const;

const report = z.strictObject({
  StartDateISO: instant,
  EndDateISO: instant,
  GroupBy: z.array(z.enum(GROUPS)).min(1),
  Parameters: z.array(z.record(z.enum(['brandId', 'campaignId', 'flightId']), id.optional())).min(1),
  TimeZone: z.string().optional(),
});

/** The body that each call takes, by method and path with `#` for ids. */
export const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  'POST /advertiser': advertiser,
  'PUT /advertiser/#': advertiser.extend({ Id: id }),
  'POST /advertiser/search': z.strictObject({ advertiserName: z.string().min(1) }),
  'POST /campaign': campaign,
  'PUT /campaign/#': changedCampaign,
  'POST /campaign/search': z.strictObject({ campaignName: z.string().min(1) }),
  'POST /flight': flight,
  'PUT /flight/#': changedFlight,
  'POST /flight/#/creative': ad,
  'PUT /flight/#/creative/#': changedAd,
  'POST /flight/#/geotargeting': geo,
  'POST /flight/#/sitezonetargeting': site,
  'POST /flight/#/dayparting': dayPart,
  'POST /flight/#/dayparting/delete': z.strictObject({ TimepartId: id }),
  'POST /report/queue': report,
};

const answered = { Id: id };
const advertiserAnswer = z.looseObject({
  ...answered,
  Title: z.string(),
  IsActive: z.boolean(),
  IsDeleted: z.boolean(),
});
const campaignAnswer = z.looseObject({
  ...{ ...answered, AdvertiserId: id, Name: z.string() },
  ...{ IsActive: z.boolean(), IsDeleted: z.boolean(), IsArchived: z.boolean() },
});
const flightAnswer = z.looseObject({
  ...{ ...answered, CampaignId: id, Name: z.string(), PriorityId: id, GoalType: int32, Impressions: int32 },
  ...{ IsActive: z.boolean(), IsDeleted: z.boolean(), IsArchived: z.boolean() },
  StartDateISO: z.string(),
  GeoTargeting: z.array(z.looseObject({ LocationId: id, CountryCode: z.string(), IsExclude: z.boolean() })),
  SiteZoneTargeting: z.array(z.looseObject({ Id: id, SiteId: id, IsExcluded: z.boolean() })),
});
const adAnswer = z.looseObject({
  ...{ ...answered, FlightId: id, CampaignId: id, IsActive: z.boolean(), IsDeleted: z.boolean() },
  Creative: z.looseObject({ Id: id, AdTypeId: id, Title: z.string() }),
});
const listOf = (item: z.ZodType) =>
  z.looseObject({ page: int32, pageSize: int32, totalPages: int32, totalItems: int32, items: z.array(item) });
const named = listOf(z.looseObject(answered));
const nothing = z.undefined();

/** What each call answers with 200, 201 or 204. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'POST /advertiser': advertiserAnswer,
  'GET /advertiser': listOf(advertiserAnswer),
  'GET /advertiser/#': advertiserAnswer,
  'PUT /advertiser/#': advertiserAnswer,
  'POST /advertiser/search': listOf(advertiserAnswer),
  'POST /campaign': campaignAnswer,
  'GET /campaign': listOf(campaignAnswer),
  'GET /campaign/#': campaignAnswer,
  'PUT /campaign/#': campaignAnswer,
  'POST /campaign/search': listOf(campaignAnswer),
  'GET /campaign/#/flight': listOf(flightAnswer),
  'GET /flight': listOf(flightAnswer),
  'GET /ad': listOf(adAnswer),
  'POST /flight': flightAnswer,
  'GET /flight/#': flightAnswer,
  'PUT /flight/#': flightAnswer,
  'POST /flight/#/creative': adAnswer,
  'GET /flight/#/creatives': listOf(adAnswer),
  'PUT /flight/#/creative/#': adAnswer,
  'POST /flight/#/geotargeting': z.looseObject({ LocationId: id }),
  'GET /flight/#/geotargeting/#/delete': nothing,
  'POST /flight/#/sitezonetargeting': z.looseObject({ Id: id }),
  'GET /flight/#/sitezonetargeting/#/delete': nothing,
  'POST /flight/#/dayparting': z.looseObject({ TimepartId: id }),
  'GET /flight/#/dayparting': z.array(dayPart.extend({ TimepartId: id })),
  'POST /flight/#/dayparting/delete': nothing,
  'GET /priority': named,
  'GET /adtypes': named,
  'GET /site': named,
  'GET /zone': named,
  'POST /report/queue': z.strictObject({ Id: z.uuid() }),
  'GET /report/queue/$': z.looseObject({ Id: z.uuid(), Status: int32, Message: z.string().nullable() }),
};
