//! The questions about a project, as requests: each is answered by a function of its own in `question`.

use super::core::Begun;
use super::method::Method;
use super::show::{duplicates, metrics};
use crate::question::{calls, deps, export, hierarchy, impact, map, refs, symbols, text_search, unused};
use crate::reader::languages;
use crate::request::duplicates_messages::{DuplicatesRequest, DuplicatesResponse};
use crate::request::error::EngineError;
use crate::request::metrics_messages::{MetricsRequest, MetricsResponse};
use crate::request::report::Skipped;
use crate::request::requests::LanguagesRequest;
use crate::request::responses::LanguagesResponse;
use crate::request::search_messages::*;
use crate::request::symbol_messages::*;

/// Makes requests of functions: the request, its name, whether it changes nothing, the answer, the function.
macro_rules! questions {
    ($($request:ident, $name:literal, $reads:literal, $result:ident, $function:path;)+) => {
        $(
            impl Method for $request {
                const NAME: &'static str = $name;
                const READS: bool = $reads;
                type Result = $result;

                fn run(&self, engine: &Begun<'_>) -> Result<$result, EngineError> {
                    $function(self, engine)
                }

                fn name_skips(answer: &mut $result) -> &mut [Skipped] {
                    &mut answer.skipped
                }
            }
        )+
    };
}

questions! {
    DepsRequest, "deps", true, DepsResponse, deps::deps;
    DuplicatesRequest, "duplicates", true, DuplicatesResponse, duplicates::find_duplicates;
    ExportRequest, "export", false, ExportResponse, export::export;
    ImpactRequest, "impact", true, ImpactResponse, impact::impact;
    MapRequest, "map", true, MapResponse, map::map;
    MetricsRequest, "metrics", true, MetricsResponse, metrics::count;
    RefsRequest, "refs", true, RefsResponse, refs::refs;
    HierarchyRequest, "hierarchy", true, HierarchyResponse, hierarchy::hierarchy;
    SymbolsRequest, "symbols", true, SymbolsResponse, symbols::symbols;
    CallsRequest, "calls", true, CallsResponse, calls::calls;
    SearchRequest, "search", true, SearchResponse, text_search::search;
    UnusedRequest, "unused", true, UnusedResponse, unused::unused;
}

impl Method for LanguagesRequest {
    const NAME: &'static str = "languages";
    const READS: bool = true;
    type Result = LanguagesResponse;

    fn run(&self, engine: &Begun<'_>) -> Result<LanguagesResponse, EngineError> {
        languages::languages(self, engine)
    }
}
