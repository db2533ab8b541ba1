// Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…
using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

static class UpsertCatalogue
{
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    static async Task<string> Upsert(string externalId, string body)
    {
        var prefix = Environment.GetEnvironmentVariable("API_URL") + "/products/external/";
        var request = new HttpRequestMessage(HttpMethod.Put, prefix + Uri.EscapeDataString(externalId));
        request.Headers.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("API_KEY"));
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var response = await Client.SendAsync(request);
        var answer = await response.Content.ReadAsStringAsync();
        if (!response.IsSuccessStatusCode) throw new InvalidOperationException(externalId + ": " + answer);
        return (int)response.StatusCode == 201 ? "created" : "updated";
    }

    static void Main()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        for (var line = lines.ReadLine(); line != null; line = lines.ReadLine())
        {
            var parts = line.Split(new[] { '\t' }, 2);
            output.WriteLine(parts[0] + " " + Upsert(parts[0], parts[1]).GetAwaiter().GetResult());
        }
    }
}
