//! Times as the store keeps them and as people read them.

use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const DAY: i64 = 24 * 60 * 60;

/// Seconds since 1970, in UTC.
pub fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// A time as people and programs read it: `2026-11-21T23:56:35Z`.
pub fn timestamp(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    // Days to a date of the Gregorian calendar, in eras of 400 years that begin in March (Hinnant, `civil_from_days`).
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
